/**
 * What each verb does with a request for a resource: reads parameters and body, calls the registry,
 * and has the answer written. One class a verb. Begin with {@link
 * dev.keelson.http.verb.ResourceHandler}.
 */
@NullMarked
package dev.keelson.http.verb;

import org.jspecify.annotations.NullMarked;
