/**
 * The seam to the store: keys and values are bytes, every change has one revision, and nothing here
 * knows what is stored. Begin with {@link dev.keelson.storage.RevisionedStore}; {@code etcd} and
 * {@code sqlite} implement it and pass one contract suite.
 */
@NullMarked
package dev.keelson.storage;

import org.jspecify.annotations.NullMarked;
