/**
 * The binary form of Kubernetes: the envelope ({@code runtime.Unknown} behind four magic bytes),
 * and messages read and written by the numbers in the schema. Begin with {@link
 * dev.keelson.schema.codec.protobuf.ProtobufReader} and {@link
 * dev.keelson.schema.codec.protobuf.ProtobufOutput}.
 */
@NullMarked
package dev.keelson.schema.codec.protobuf;

import org.jspecify.annotations.NullMarked;
