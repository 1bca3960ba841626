/**
 * Bytes to object trees and back, typed by a structural schema: JSON, YAML and protobuf as
 * Kubernetes reads and writes them, and the form of objects at rest. Knows no resource, no HTTP and
 * no store. Begin with {@link dev.keelson.schema.codec.ObjectReader}, {@link
 * dev.keelson.schema.codec.ObjectWriter} and {@link dev.keelson.schema.codec.StoredForm}.
 */
@NullMarked
package dev.keelson.schema.codec;

import org.jspecify.annotations.NullMarked;
