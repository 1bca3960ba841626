/**
 * The verb handlers: each decodes parameters and body, calls the registry and writes the response.
 * One class per verb. Begin with {@link dev.keelson.http.verb.ResourceHandler}.
 */
@NullMarked
package dev.keelson.http.verb;

import org.jspecify.annotations.NullMarked;
