/**
 * Keeps the status of ValidatingAdmissionPolicies: the warnings of the type check of their
 * expressions, once a generation. Knows no expression; the check is given. Begin with {@link
 * dev.keelson.controller.admission.PolicyStatusController}.
 */
@NullMarked
package dev.keelson.controller.admission;

import org.jspecify.annotations.NullMarked;
