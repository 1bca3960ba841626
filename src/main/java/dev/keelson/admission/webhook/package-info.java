/**
 * Admission webhooks: which are called for a write, the AdmissionReview that they get, and what
 * their answers do. Knows neither the store nor HTTP paths of this server. Begin with {@link
 * dev.keelson.admission.webhook.MutatingWebhooks}.
 */
@NullMarked
package dev.keelson.admission.webhook;

import org.jspecify.annotations.NullMarked;
