/**
 * Structural schemas from the annotated protobuf messages of {@code src/main/proto}, which the
 * build turns into two descriptor sets on the class path. The only reader of our options. Knows the
 * schema root and protobuf's wire format, no JSON and no resource. Begin with {@link
 * dev.keelson.schema.proto.ProtoSchemas}.
 */
@NullMarked
package dev.keelson.schema.proto;

import org.jspecify.annotations.NullMarked;
