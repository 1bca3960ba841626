/**
 * Approves, signs and cleans up CertificateSigningRequests. Sees the API through the client only;
 * knows no files: the authorities are given. Begin with {@link
 * dev.keelson.controller.certificate.SigningController}.
 */
@NullMarked
package dev.keelson.controller.certificate;

import org.jspecify.annotations.NullMarked;
