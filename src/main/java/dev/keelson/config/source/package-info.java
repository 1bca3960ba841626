/**
 * The sources of flag values: the command line, environment variables and a settings file. Begin
 * with {@link dev.keelson.config.source.CommandLineArguments}.
 */
@NullMarked
package dev.keelson.config.source;

import org.jspecify.annotations.NullMarked;
