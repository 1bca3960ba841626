/**
 * The flags: one class per concern that declares names, defaults and help, and turns what was given
 * into an options record. Values come from the command line, the environment, a file and the
 * defaults, in that order. Knows the options records of other packages and none of their code;
 * begin with {@link dev.keelson.config.Flags}.
 */
@NullMarked
package dev.keelson.config;

import org.jspecify.annotations.NullMarked;
