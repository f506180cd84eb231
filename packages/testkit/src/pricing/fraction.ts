/** Plain rational arithmetic for the models that tests compare with: it shares nothing with the code under test. */
export class Fraction {
  static readonly zero = Fraction.of(0n);
  readonly numerator: bigint;
  readonly denominator: bigint; // above 0, never reduced: slow, and nothing to get wrong

  private constructor(numerator: bigint, denominator: bigint) {
    this.numerator = numerator;
    this.denominator = denominator;
  }

  static of(numerator: bigint, denominator = 1n): Fraction {
    return denominator < 0n ? new Fraction(-numerator, -denominator) : new Fraction(numerator, denominator);
  }

  /** "1,234.50" */
  static parse(text: string): Fraction {
    const match = /^(\d[\d,]*)(?:\.(\d+))?$/.exec(text);
    if (!match) throw new Error(`not a number: ${JSON.stringify(text)}`);
    const [, whole = '', decimals = ''] = match;
    return Fraction.of(BigInt(whole.replaceAll(',', '') + decimals), 10n ** BigInt(decimals.length));
  }

  plus(other: Fraction): Fraction {
    const { numerator, denominator } = other;
    return Fraction.of(this.numerator * denominator + numerator * this.denominator, this.denominator * denominator);
  }

  minus(other: Fraction): Fraction {
    return this.plus(Fraction.of(-other.numerator, other.denominator));
  }

  times(other: Fraction): Fraction {
    return Fraction.of(this.numerator * other.numerator, this.denominator * other.denominator);
  }

  over(other: Fraction): Fraction {
    return Fraction.of(this.numerator * other.denominator, this.denominator * other.numerator);
  }

  isAbove(other: Fraction): boolean {
    return this.numerator * other.denominator > other.numerator * this.denominator;
  }

  equals(other: Fraction): boolean {
    return this.numerator * other.denominator === other.numerator * this.denominator;
  }

  floor(): bigint {
    const towardsZero = this.numerator / this.denominator;
    return towardsZero * this.denominator > this.numerator ? towardsZero - 1n : towardsZero;
  }

  ceiling(): bigint {
    return -Fraction.of(-this.numerator, this.denominator).floor();
  }

  /** Half up, and one back where that was a tie that ended on an odd number. */
  roundHalfEven(): bigint {
    const shifted = this.plus(Fraction.of(1n, 2n));
    const rounded = shifted.floor();
    const isTie = shifted.equals(Fraction.of(rounded));
    return isTie && rounded % 2n !== 0n ? rounded - 1n : rounded;
  }
}
