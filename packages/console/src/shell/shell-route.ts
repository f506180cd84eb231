import { createRootRoute, createRoute, Outlet } from '@tanstack/react-router';
import { NotFound } from './not-found.tsx';
import { Shell } from './shell.tsx';

export const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound });
export const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell });
