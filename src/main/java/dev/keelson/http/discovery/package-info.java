/**
 * What clients ask first: which groups, versions and resources are served. Documents are built from
 * one snapshot of the catalog when they are first asked for and kept until the catalog changes;
 * nothing here knows a request or a socket. Begin with {@link
 * dev.keelson.http.discovery.Discovery}.
 */
@NullMarked
package dev.keelson.http.discovery;

import org.jspecify.annotations.NullMarked;
