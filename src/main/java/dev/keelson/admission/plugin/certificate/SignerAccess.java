package dev.keelson.admission.plugin.certificate;

import dev.keelson.api.GroupResource;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.request.UserInfo;

/**
 * Whether a user may do something with the requests of a signer: on the signer itself or on all of
 * its domain.
 *
 * @param authorizer decides on the resource {@code signers}, which only rules know
 */
record SignerAccess(Authorizer authorizer) {

  static final String GROUP = "certificates.k8s.io";
  static final GroupResource REQUESTS = new GroupResource(GROUP, "certificatesigningrequests");
  private static final GroupResource SIGNERS = new GroupResource(GROUP, "signers");

  boolean allows(UserInfo user, String verb, String signer) {
    int slash = signer.indexOf('/');
    return allowsName(user, verb, signer)
        || allowsName(user, verb, (slash < 0 ? signer : signer.substring(0, slash)) + "/*");
  }

  private boolean allowsName(UserInfo user, String verb, String name) {
    Attributes.Resource target = Attributes.Resource.of(SIGNERS, "*", "", name);
    return authorizer.authorize(new Attributes(user, verb, target)).allowed();
  }
}
