/**
 * The options records of parts without their own. Values only, no parsing. Begin with {@link
 * dev.keelson.config.option.ServerOptions}.
 */
@NullMarked
package dev.keelson.config.option;

import org.jspecify.annotations.NullMarked;
