/**
 * The interface of the store: keys and values are bytes, and every change has one revision. Begin
 * with {@link dev.keelson.storage.RevisionedStore}; {@code etcd} and {@code sqlite} implement it
 * and pass one contract suite.
 */
@NullMarked
package dev.keelson.storage;

import org.jspecify.annotations.NullMarked;
