/**
 * OpenAPI documents in protobuf: the messages of gnostic's OpenAPIv2.proto and OpenAPIv3.proto,
 * which client-go asks for. Knows trees and the wire format, and of OpenAPI only what the documents
 * of the parent package have. Begin with {@link dev.keelson.schema.openapi.gnostic.Gnostic}.
 */
@NullMarked
package dev.keelson.schema.openapi.gnostic;

import org.jspecify.annotations.NullMarked;
