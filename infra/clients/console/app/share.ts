/** The page behind a share link names this file, which keeps its name: what it loads is named by its contents. */
void import('./share/main.ts')
