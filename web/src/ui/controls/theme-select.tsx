import { useText } from '../../text/locale.ts';
import { Select, type SelectProps } from './select.tsx';
import { setTheme, type Theme, useTheme } from './theme.ts';

/** Selects the light, dark or system theme for this browser. */
export function ThemeSelect(props: Omit<SelectProps<Theme>, 'value' | 'options' | 'onValueChange'>) {
  const { app } = useText();
  const options = [
    { value: 'system', label: app.themeSystem },
    { value: 'light', label: app.themeLight },
    { value: 'dark', label: app.themeDark },
  ] as const;
  return <Select<Theme> {...props} value={useTheme()} options={options} onValueChange={setTheme} />;
}
