import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isFigure?: boolean;
}

interface Tabled<Row> {
  /** Names the table to those who do not see it. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string;
}

/** A table; on a phone each row is a card, whose cells have the titles of their columns beside them. */
export function DataTable<Row>({ label, columns, rows, keyOf }: Tabled<Row>): ReactNode {
  return (
    <Table aria-label={label} className={classes.table} role="table" verticalSpacing="xs">
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {columns.map(({ title, isFigure }) => (
            <Table.Th key={title} role="columnheader" scope="col" className={isFigure ? classes.figure : undefined}>
              {title}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {rows.map((row, index) => (
          <Table.Tr key={keyOf(row, index)} role="row">
            {columns.map(({ title, cell, isFigure }) => (
              <Table.Td key={title} role="cell" data-title={title} className={isFigure ? classes.figure : undefined}>
                <div className={classes.value}>{cell(row)}</div>
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
