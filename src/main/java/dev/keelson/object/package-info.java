/**
 * The immutable tree of a decoded API object, a view of its metadata, and edits that return a new
 * tree. Independent of schemas and encodings. Begin with {@link dev.keelson.object.Node} and {@link
 * dev.keelson.object.ApiObject}.
 */
@NullMarked
package dev.keelson.object;

import org.jspecify.annotations.NullMarked;
