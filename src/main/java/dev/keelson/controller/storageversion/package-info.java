/**
 * What the API servers of a cluster state of the versions in which they write stored objects
 * (KEP-2339): each server's own statements, and the removal of those of servers that are gone.
 * Knows the store by clients of the API alone. Begin at {@link
 * dev.keelson.controller.storageversion.StorageVersionUpdater}.
 */
@NullMarked
package dev.keelson.controller.storageversion;

import org.jspecify.annotations.NullMarked;
