/**
 * Validates certificate signing requests, their approval and the PEM blocks that they carry
 * (pkg/apis/certificates/validation). Signs and trusts nothing. Begin at {@link
 * dev.keelson.schema.validation.certificates.CertificatesKinds}.
 */
@NullMarked
package dev.keelson.schema.validation.certificates;

import org.jspecify.annotations.NullMarked;
