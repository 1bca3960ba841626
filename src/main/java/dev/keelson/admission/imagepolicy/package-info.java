/**
 * The webhook that decides on the images of pods. Knows how to ask, what to do with the answer and
 * how long it holds; the connection is the server's. Begin with {@link
 * dev.keelson.admission.imagepolicy.ImagePolicyWebhook}.
 */
@NullMarked
package dev.keelson.admission.imagepolicy;

import org.jspecify.annotations.NullMarked;
