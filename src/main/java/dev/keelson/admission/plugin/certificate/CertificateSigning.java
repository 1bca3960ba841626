package dev.keelson.admission.plugin.certificate;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.authz.Authorizer;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoQuote;

/**
 * CertificateSigning: a user may only set the certificate and conditions of the requests of signers
 * that {@code sign} is granted for.
 */
public final class CertificateSigning implements Admission {

  private final SignerAccess access;

  /**
   * @param authorizer decides on signers
   */
  public CertificateSigning(Authorizer authorizer) {
    access = new SignerAccess(authorizer);
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return operation == Verb.UPDATE
        && resource.equals(SignerAccess.REQUESTS)
        && subresource.equals("status");
  }

  @Override
  public void validate(AdmissionAttributes call) {
    ApiObject current = call.current();
    if (current == null) {
      return;
    }
    ApiObject next = call.object();
    if (next != null && isSame(next.root().map("status"), current.root().map("status"))) {
      return;
    }
    String signer = current.root().map("spec").text("signerName");
    if (!access.allows(call.user(), "sign", signer)) {
      throw call.forbidden(
          "user not permitted to sign requests with signerName " + GoQuote.quote(signer));
    }
  }

  /** Whether the parts of a signer are the same; an empty one is as good as none. */
  private static boolean isSame(MapNode next, MapNode current) {
    return next.text("certificate").equals(current.text("certificate"))
        && next.items("conditions").equals(current.items("conditions"));
  }
}
