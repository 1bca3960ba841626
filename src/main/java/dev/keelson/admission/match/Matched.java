package dev.keelson.admission.match;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.GroupVersionResource;

/**
 * The resource by which a rule matches a request.
 *
 * @param resource the resource of the request, or an equivalent one
 * @param kind the kind of its objects, or of the subresource
 */
public record Matched(GroupVersionResource resource, GroupVersionKind kind) {}
