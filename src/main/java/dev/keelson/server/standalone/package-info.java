/**
 * Components that run alone, as clients of an API server: {@code keelson controllers} and {@code
 * keelson scheduler}. Nothing of it is loaded by a server. Begin with {@link
 * dev.keelson.server.standalone.StandaloneComponent}.
 */
@NullMarked
package dev.keelson.server.standalone;

import org.jspecify.annotations.NullMarked;
