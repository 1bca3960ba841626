package dev.keelson.admission.plugin.network;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import java.util.HashSet;
import java.util.List;

/** DenyServiceExternalIPs: rejects new external addresses of Services. */
public final class DenyServiceExternalIps implements Admission {

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return (operation == Verb.CREATE || operation == Verb.UPDATE)
        && resource.equals(new GroupResource("", "services"))
        && subresource.isEmpty();
  }

  @Override
  public void validate(AdmissionAttributes call) {
    ApiObject next = call.object();
    ApiObject current = call.current();
    if (next == null) {
      return;
    }
    List<Node> known = current == null ? List.of() : addresses(current);
    if (!new HashSet<>(known).containsAll(addresses(next))) {
      throw call.forbidden("Use of external IPs is denied by admission control");
    }
  }

  private static List<Node> addresses(ApiObject service) {
    return service.root().map("spec").items("externalIPs");
  }
}
