import { app } from './en/app.ts';
import { composer } from './en/composer.ts';
import { home } from './en/home.ts';
import { taskList } from './en/task-list.ts';
import { ui } from './en/ui.ts';

/** The English texts that the home page needs; those of the other pages are loaded with the first of them. */
export const firstTexts = { app, composer, home, taskList, ui };
