/**
 * Local caches of the objects of a resource, kept up to date by a watch, for controllers. Begin
 * with {@link dev.keelson.client.informer.Informer}.
 */
@NullMarked
package dev.keelson.client.informer;

import org.jspecify.annotations.NullMarked;
