/**
 * Admission plugins for certificate signing requests and trust bundles. Begin with {@link
 * dev.keelson.admission.plugin.certificate.CertificateApproval}.
 */
@NullMarked
package dev.keelson.admission.plugin.certificate;

import org.jspecify.annotations.NullMarked;
