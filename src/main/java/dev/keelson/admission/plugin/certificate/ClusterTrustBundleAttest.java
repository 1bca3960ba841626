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
 * ClusterTrustBundleAttest: a user may only write the trust bundles of signers that {@code attest}
 * is granted for.
 */
public final class ClusterTrustBundleAttest implements Admission {

  private final SignerAccess access;

  /**
   * @param authorizer decides on signers
   */
  public ClusterTrustBundleAttest(Authorizer authorizer) {
    access = new SignerAccess(authorizer);
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return (operation == Verb.CREATE || operation == Verb.UPDATE)
        && resource.equals(new GroupResource(SignerAccess.GROUP, "clustertrustbundles"));
  }

  @Override
  public void validate(AdmissionAttributes call) {
    ApiObject next = call.object();
    ApiObject current = call.current();
    if (next == null) {
      return;
    }
    String signer = next.root().map("spec").text("signerName");
    boolean unchanged =
        current != null && withoutCollection(next).equals(withoutCollection(current));
    if (!signer.isEmpty() && !unchanged && !access.allows(call.user(), "attest", signer)) {
      throw call.forbidden("user not permitted to attest for signerName " + GoQuote.quote(signer));
    }
  }

  /** The object without what garbage collection changes, which needs no permission. */
  private static MapNode withoutCollection(ApiObject bundle) {
    return bundle
        .root()
        .with(
            "metadata",
            bundle
                .meta()
                .node()
                .without("ownerReferences")
                .without("finalizers")
                .without("managedFields"));
  }
}
