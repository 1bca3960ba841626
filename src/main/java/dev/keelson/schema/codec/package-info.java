/**
 * Bytes to object trees and back, typed by a structural schema: the entry points for JSON, YAML and
 * protobuf as Kubernetes reads and writes them. The formats have packages of their own below this
 * one; what they share is in {@link dev.keelson.schema.codec.tree}, objects at rest are in {@code
 * dev.keelson.schema.codec.stored}. Knows no resource, no HTTP and no store. Begin with {@link
 * dev.keelson.schema.codec.ObjectReader} and {@link dev.keelson.schema.codec.ObjectWriter}.
 */
@NullMarked
package dev.keelson.schema.codec;

import org.jspecify.annotations.NullMarked;
