/**
 * The log as lines of JSON. Not loaded for a log of text, which Quarkus writes. Begin with {@link
 * dev.keelson.server.log.JsonLog}.
 */
@NullMarked
package dev.keelson.server.log;

import org.jspecify.annotations.NullMarked;
