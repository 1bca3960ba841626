package dev.keelson.controller.certificate;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Approves the requests of kubelets for client certificates that RBAC allows them (source: {@code
 * pkg/controller/certificates/approver}).
 */
public final class ApprovingController implements Controller {

  /** The service account of the controllers of certificates. */
  static final String ACCOUNT = "certificate-controller";

  private static final Logger LOG = Logger.getLogger(ApprovingController.class);

  private static final GroupVersionResource REVIEWS =
      new GroupVersion("authorization.k8s.io", "v1").resource("subjectaccessreviews");

  private final ApiClient client;
  private final RequestLoop loop;

  /** A reason to approve: the subresource that the requester may create. */
  private record Permission(String subresource, String message) {}

  private static final Permission SELF =
      new Permission(
          "selfnodeclient",
          "Auto approving self kubelet client certificate after SubjectAccessReview.");
  private static final Permission NODE =
      new Permission(
          "nodeclient", "Auto approving kubelet client certificate after SubjectAccessReview.");

  /** Not yet started. */
  public ApprovingController(ControllerContext context) {
    client = context.client(ACCOUNT);
    loop =
        new RequestLoop(
            "csrapproving",
            client,
            context.informers().of(RequestFacts.TYPE),
            request -> request.isPending() && request.signer().equals(RequestFacts.KUBELET_CLIENT),
            this::handle);
  }

  @Override
  public void start() throws InterruptedException {
    loop.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return loop.queues();
  }

  @Override
  public void close() {
    loop.close();
  }

  private Outcome handle(ApiObject object) throws InterruptedException {
    List<Permission> permissions = permissions(object);
    for (Permission permission : permissions) {
      if (allows(object, permission)) {
        Written unused =
            client.update(
                RequestFacts.RESOURCE, "approval", approved(object, permission.message()));
        return Outcome.DONE;
      }
    }
    if (permissions.isEmpty()) {
      return Outcome.DONE;
    }
    LOG.debugf("event=csr-not-approved name=%s", object.meta().name());
    return Outcome.RETRY;
  }

  /** Those that a request would need; none if it is not one of a kubelet. */
  private static List<Permission> permissions(ApiObject object) {
    List<Permission> permissions = new ArrayList<>();
    try {
      CertificateRequest request = CertificateRequest.of(object);
      SignerRules.checkKubeletClient(request);
      if (object.root().map("spec").text("username").equals(request.commonName())) {
        permissions.add(SELF);
      }
      permissions.add(NODE);
    } catch (SigningException e) {
      LOG.debugf("event=csr-not-recognized name=%s error=%s", object.meta().name(), e.getMessage());
    }
    return permissions;
  }

  private boolean allows(ApiObject object, Permission permission) throws InterruptedException {
    MapNode spec = object.root().map("spec");
    MapNode.Builder review =
        MapNode.builder(5)
            .put("user", Node.text(spec.text("username")))
            .put(
                "resourceAttributes",
                MapNode.builder(4)
                    .put("group", Node.text(RequestFacts.RESOURCE.group()))
                    .put("resource", Node.text(RequestFacts.RESOURCE.resource()))
                    .put("verb", Node.text("create"))
                    .put("subresource", Node.text(permission.subresource()))
                    .build());
    for (String key : List.of("uid", "groups", "extra")) {
      Node value = spec.get(key);
      if (value != null) {
        review.put(key, value);
      }
    }
    ApiObject answer =
        client
            .create(
                REVIEWS,
                new ApiObject(MapNode.of("spec", review.build()))
                    .withType(REVIEWS.apiVersion(), "SubjectAccessReview"))
            .object();
    return answer.root().map("status").get("allowed") == Node.Bool.TRUE;
  }

  private static ApiObject approved(ApiObject object, String message) {
    return RequestLoop.withCondition(
        object,
        MapNode.builder(4)
            .put("type", Node.text("Approved"))
            .put("status", Node.text("True"))
            .put("reason", Node.text("AutoApproved"))
            .put("message", Node.text(message))
            .build());
  }
}
