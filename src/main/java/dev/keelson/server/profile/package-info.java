/**
 * Profiles of a running server at {@code /debug/pprof/}: Flight Recorder recordings and thread
 * dumps. What only a JVM has is loaded by the first request for it. Begin with {@link
 * dev.keelson.server.profile.Profiles}.
 */
@NullMarked
package dev.keelson.server.profile;

import org.jspecify.annotations.NullMarked;
