package dev.keelson.controller.certificate;

import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.pem.PemBlock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jboss.logging.Logger;

/**
 * Signs approved requests for the signers of Kubernetes (source: {@code
 * pkg/controller/certificates/signer}).
 */
public final class SigningController implements Controller {

  private static final Logger LOG = Logger.getLogger(SigningController.class);
  private static final Duration SHORTEST = Duration.ofMinutes(10);

  private final ApiClient client;
  private final Map<String, SigningAuthority.Source> authorities;
  private final Duration longest;
  private final InstantSource clock;
  private final CertificateSigner signer = new CertificateSigner();
  private final RequestLoop loop;

  /**
   * Not yet started.
   *
   * @param authorities by the name of the signer; requests for others wait
   * @param longest how long certificates hold that do not ask for less
   */
  public SigningController(
      ControllerContext context,
      Map<String, SigningAuthority.Source> authorities,
      Duration longest) {
    this.client = context.client(ApprovingController.ACCOUNT);
    this.authorities = Map.copyOf(authorities);
    this.longest = longest;
    this.clock = context.clock();
    this.loop =
        new RequestLoop(
            "csrsigning",
            client,
            context.informers().of(RequestFacts.TYPE),
            request ->
                request.awaitsCertificate() && this.authorities.containsKey(request.signer()),
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
    String name = object.root().map("spec").text("signerName");
    SigningAuthority.Source source = authorities.get(name);
    if (source == null) {
      return Outcome.DONE;
    }
    try {
      CertificateRequest request = CertificateRequest.of(object);
      if (!refused(object, name, request)) {
        byte[] der = signer.sign(source.authority(), request, life(object), clock.instant());
        store(object, der);
      }
      return Outcome.DONE;
    } catch (SigningException e) {
      LOG.warnf("event=csr-not-signed name=%s error=%s", object.meta().name(), e.getMessage());
      return Outcome.RETRY;
    }
  }

  /** Marks a request that its signer does not sign. */
  private boolean refused(ApiObject object, String name, CertificateRequest request)
      throws InterruptedException {
    try {
      SignerRules.check(name, request);
      return false;
    } catch (SigningException e) {
      MapNode condition =
          MapNode.builder(5)
              .put("type", Node.text("Failed"))
              .put("status", Node.text("True"))
              .put("reason", Node.text("SignerValidationFailure"))
              .put("message", Node.text(String.valueOf(e.getMessage())))
              .put("lastUpdateTime", Node.text(Times.text(clock.instant())))
              .build();
      Written unused =
          client.updateStatus(RequestFacts.RESOURCE, RequestLoop.withCondition(object, condition));
      return true;
    }
  }

  private void store(ApiObject object, byte[] der) throws InterruptedException {
    byte[] text = new PemBlock("CERTIFICATE", der).text().getBytes(StandardCharsets.US_ASCII);
    String certificate = Base64.getEncoder().encodeToString(text);
    Written unused =
        client.updateStatus(
            RequestFacts.RESOURCE,
            object.with(
                "status", object.root().map("status").with("certificate", Node.text(certificate))));
  }

  private Duration life(ApiObject object) {
    if (!(object.root().map("spec").get("expirationSeconds") instanceof Node.Int seconds)) {
      return longest;
    }
    Duration wanted = Duration.ofSeconds(seconds.value());
    if (wanted.compareTo(longest) > 0) {
      return longest;
    }
    return wanted.compareTo(SHORTEST) < 0 ? SHORTEST : wanted;
  }
}
