/**
 * The immutable tree that an API object is between bytes and bytes, a view of its metadata, and
 * edits that return a new tree. Knows no schema and no encoding. Begin with {@link
 * dev.keelson.object.Node} and {@link dev.keelson.object.ApiObject}.
 */
@NullMarked
package dev.keelson.object;

import org.jspecify.annotations.NullMarked;
