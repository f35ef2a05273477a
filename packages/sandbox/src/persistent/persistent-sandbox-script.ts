import { libraryMount } from '../sandbox.ts';

/** Restores what the shell of an earlier command left, and saves it when this one ends; the file of bash that does so. */
export const shellFile = 'shell.sh';
export const shellPath = `${libraryMount}/${shellFile}`;

/**
 * Runs inside the sandbox and starts its processes. Reads lines: `start ID CHANNEL INPUT` runs the arguments in the file ID.argv, which
 * can begin with a value for BASH_ENV, in a process group of its own, and `signal NAME GROUP` signals one. Answers with lines:
 * `started ID GROUP`, and `ended ID CODE LEFT` when the first process has ended, LEFT being the number of others in its group. Signalling
 * must not need a new process, because there may be no room for one.
 */
export const persistentSandboxScript = `
calls=${libraryMount}
look() {
  local stat fields
  members=()
  for stat in /proc/[0-9]*/stat; do
    { read -r fields <"$stat"; } 2>/dev/null || continue
    set -- "$1" \${fields##*) }
    [[ $4 == "$1" && $2 != Z ]] || continue
    stat=\${stat#/proc/}
    members+=("\${stat%/stat}")
  done
}
tend() {
  local id=$1 channel=$calls/$2 input=$3 argv group
  mapfile -d '' -t argv <"$calls/$id.argv"
  if [[ $argv == BASH_ENV=* ]]; then
    export "$argv"
    argv=("\${argv[@]:1}")
  fi
  # Gives what it starts a process group of its own.
  set -m
  exec 4>"$channel.out"
  case $input in
    stdin) "\${argv[@]}" <"$channel.in" >&4 2>&4 4>&- & ;;
    request) "\${argv[@]}" 3<"$channel.in" </dev/null >&4 2>&4 4>&- & ;;
    *) "\${argv[@]}" </dev/null >&4 2>&4 4>&- & ;;
  esac
  group=$!
  exec 4>&-
  echo "started $id $group"
  wait "$group"
  local code=$?
  look "$group"
  echo "ended $id $code \${#members[@]}"
}
while read -r verb id channel input; do
  case $verb in
    start) tend "$id" "$channel" "$input" & ;;
    signal)
      for round in 1 2 3; do
        look "$channel"
        (( \${#members[@]} > 0 )) || members=("$channel")
        kill -"$id" "\${members[@]}" 2>/dev/null
        [[ $id == KILL ]] || break
      done ;;
  esac
done
`;

/** File in the home folder that says where the next shell begins. */
export const shellFolderFile = '.shell-folder';

/**
 * Script for BASH_ENV that keeps the folder, variables, functions, and options of a shell in its home. What the shell inherited is not kept
 * again.
 */
export const shellScript = `
unset BASH_ENV
declare -A __shell_before=()
for __shell_name in $(compgen -e); do __shell_before[$__shell_name]=\${!__shell_name}; done
__shell_file=$HOME/.shell
if [[ -f $__shell_file && ! -L $__shell_file ]]; then . "$__shell_file" 2>/dev/null; fi
__shell_save() {
  local __shell_code=$? __shell_name
  trap - EXIT
  {
    for __shell_name in $(compgen -v); do
      case $__shell_name in
        __shell_*|BASH*|EPOCH*|COMP_*|_|EUID|PPID|UID|SHELLOPTS|FUNCNAME|GROUPS|DIRSTACK|RANDOM|SRANDOM|SECONDS|LINENO|PIPESTATUS|HISTCMD|OPTIND|OPTERR|PWD|OLDPWD|SHLVL|HOSTNAME|HOSTTYPE|MACHTYPE|OSTYPE|PS4) continue ;;
      esac
      [[ -v __shell_before[$__shell_name] && \${__shell_before[$__shell_name]} == "\${!__shell_name}" ]] && continue
      declare -p "$__shell_name"
    done
    for __shell_name in "\${!__shell_before[@]}"; do [[ -v $__shell_name ]] || echo "unset $__shell_name"; done
    unset -f __shell_save
    declare -f
    shopt -p expand_aliases nullglob globstar extglob dotglob failglob
    alias -p
    printf 'cd -- %q\\n' "$PWD"
  } 2>/dev/null >"$__shell_file.$$" && mv -f "$__shell_file.$$" "$__shell_file"
  printf %s "$PWD" 2>/dev/null >|"$HOME/${shellFolderFile}"
  exit "$__shell_code"
}
trap __shell_save EXIT
`;
