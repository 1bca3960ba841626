/**
 * JSONPath in the dialect of client-go ({@code k8s.io/client-go/util/jsonpath}), which the printer
 * columns of custom resources are written in. Knows trees and no schema. Begin with {@link
 * dev.keelson.schema.jsonpath.JsonPath}.
 */
@NullMarked
package dev.keelson.schema.jsonpath;

import org.jspecify.annotations.NullMarked;
