import { Anchor, type AnchorProps, Button, type ButtonProps, NavLink, type NavLinkProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ReactNode } from 'react';

/** The router fills an anchor with these. */
type Html<Own> = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Own>;

function AnchorOf(props: AnchorProps & Html<AnchorProps>): ReactNode {
  return <Anchor underline="always" inherit {...props} />;
}

function ButtonOf(props: ButtonProps & Html<ButtonProps>): ReactNode {
  return <Button component="a" {...props} />;
}

function NavLinkOf(props: NavLinkProps & Html<NavLinkProps>): ReactNode {
  return <NavLink {...props} />;
}

/** A link to a page of the console, as text, as a button, and in the navigation. */
export const TextLink = createLink(AnchorOf);
export const ButtonLink = createLink(ButtonOf);
export const NavigationLink = createLink(NavLinkOf);
