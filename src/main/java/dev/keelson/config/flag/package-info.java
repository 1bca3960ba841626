/**
 * What a flag is: its name, help, default and parser, the groups that flags are listed in, and the
 * values that were given for them. Knows no flag by name. Begin with {@link
 * dev.keelson.config.flag.Flag}.
 */
@NullMarked
package dev.keelson.config.flag;

import org.jspecify.annotations.NullMarked;
