package dev.keelson.admission.plugin.certificate;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.authz.Authorizer;
import dev.keelson.object.ApiObject;
import dev.keelson.value.GoQuote;

/**
 * CertificateApproval: a user may only approve or deny the requests of signers that {@code approve}
 * is granted for.
 */
public final class CertificateApproval implements Admission {

  private final SignerAccess access;

  /**
   * @param authorizer decides on signers
   */
  public CertificateApproval(Authorizer authorizer) {
    access = new SignerAccess(authorizer);
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return operation == Verb.UPDATE
        && resource.equals(SignerAccess.REQUESTS)
        && subresource.equals("approval");
  }

  @Override
  public void validate(AdmissionAttributes call) {
    ApiObject current = call.current();
    if (current == null) {
      return;
    }
    String signer = current.root().map("spec").text("signerName");
    if (!access.allows(call.user(), "approve", signer)) {
      throw call.forbidden(
          "user not permitted to approve requests with signerName " + GoQuote.quote(signer));
    }
  }
}
