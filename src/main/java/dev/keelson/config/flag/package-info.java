/**
 * The model of flags: name, help, default and parser, the groups of the help, and the parsed
 * settings. Begin with {@link dev.keelson.config.flag.Flag}.
 */
@NullMarked
package dev.keelson.config.flag;

import org.jspecify.annotations.NullMarked;
