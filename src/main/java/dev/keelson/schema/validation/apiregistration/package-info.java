/**
 * The validation of the kinds of apiregistration.k8s.io (source: kube-aggregator's {@code
 * validation.go}). Begin with {@link
 * dev.keelson.schema.validation.apiregistration.ApiRegistrationKinds}.
 */
@NullMarked
package dev.keelson.schema.validation.apiregistration;

import org.jspecify.annotations.NullMarked;
