/**
 * The store in an etcd cluster, by way of jetcd. It knows bytes and revisions only, and never lets
 * jetcd's exceptions, retries or threads through to its callers. Begin with {@link
 * dev.keelson.storage.etcd.EtcdStore}; the feed is in {@code EtcdFeed}, and {@code
 * docs/flow-of-a-change.md} describes the path of a change.
 */
@NullMarked
package dev.keelson.storage.etcd;

import org.jspecify.annotations.NullMarked;
