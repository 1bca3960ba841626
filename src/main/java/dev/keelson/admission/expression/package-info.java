/**
 * The inputs of expressions of policies and webhooks, made of a request's attributes: the
 * AdmissionRequest, the namespace and the authorizer. Begin with {@link
 * dev.keelson.admission.expression.RequestInputs}.
 */
@NullMarked
package dev.keelson.admission.expression;

import org.jspecify.annotations.NullMarked;
