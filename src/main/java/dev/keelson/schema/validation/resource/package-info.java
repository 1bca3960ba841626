/**
 * Validates resource claims, their templates, device classes and resource slices
 * (pkg/apis/resource/validation of Kubernetes 1.36). CEL expressions are compiled by a function
 * that the caller supplies. Allocates no devices. Begin at {@link
 * dev.keelson.schema.validation.resource.ResourceKinds}.
 */
@NullMarked
package dev.keelson.schema.validation.resource;

import org.jspecify.annotations.NullMarked;
