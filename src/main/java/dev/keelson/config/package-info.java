/**
 * The flags: one class per concern that declares names, defaults and help, and creates an options
 * record. Values come from the command line, the environment, a file and the defaults, in that
 * order. Uses the options records of other packages, not their code. Begin with {@link
 * dev.keelson.config.Flags}.
 */
@NullMarked
package dev.keelson.config;

import org.jspecify.annotations.NullMarked;
