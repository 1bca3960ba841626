package dev.keelson.controller.token;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs the kubeconfig in the ConfigMap {@code kube-public/cluster-info} with each bootstrap token,
 * so that a node that joins can tell that it is genuine (source: {@code
 * pkg/controller/bootstrap/bootstrapsigner.go}; detached JWS of RFC 7515, appendix F).
 */
public final class BootstrapSigner implements Controller {

  private static final String ACCOUNT = "bootstrap-signer";
  private static final ObjectName CLUSTER_INFO = new ObjectName("kube-public", "cluster-info");
  private static final GroupVersionResource CONFIG_MAPS =
      GroupVersion.CORE_V1.resource("configmaps");
  private static final String CONTENT = "kubeconfig";
  private static final String SIGNATURE = "jws-kubeconfig-";

  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1000);

  /** The resourceVersion of the one ConfigMap. */
  private static final InformerType<String> INFO =
      new InformerType<>(
          new Selection(
              CONFIG_MAPS, CLUSTER_INFO.namespace(), "", "metadata.name=" + CLUSTER_INFO.name()),
          object -> object.meta().resourceVersion(),
          List.of());

  private final ApiClient client;
  private final Informer<BootstrapToken> tokens;
  private final Informer<String> info;
  private final InstantSource clock;
  private final WorkQueue<ObjectName> queue =
      new WorkQueue<>("bootstrap_signer_queue", FIRST_PAUSE, LONGEST_PAUSE);
  private final ControllerLoop worker =
      ControllerLoop.workers("bootstrap-signer", 1, queue, this::sign);

  /** Not yet started. */
  public BootstrapSigner(ControllerContext context) {
    client = context.client(ACCOUNT);
    tokens = context.informers().of(BootstrapToken.TYPE);
    info = context.informers().of(INFO);
    clock = context.clock();
  }

  @Override
  public void start() throws InterruptedException {
    tokens.awaitSync();
    info.awaitSync();
    tokens.listen(new Changes<>());
    info.listen(new Changes<>());
    worker.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(queue);
  }

  @Override
  public void close() {
    worker.close();
  }

  private Outcome sign(ObjectName name) throws InterruptedException {
    ApiObject stored = client.get(CONFIG_MAPS, name.namespace(), name.name()).orElse(null);
    if (stored == null || !stored.root().map("data").has(CONTENT)) {
      return Outcome.DONE;
    }
    MapNode data = stored.root().map("data");
    MapNode signed = signed(data);
    if (signed.equals(data)) {
      return Outcome.DONE;
    }
    try {
      Written unused = client.update(CONFIG_MAPS, stored.with("data", signed));
      return Outcome.DONE;
    } catch (ApiException e) {
      if (e.reason() == Reason.CONFLICT || e.reason() == Reason.NOT_FOUND) {
        return Outcome.RETRY;
      }
      throw e;
    }
  }

  private MapNode signed(MapNode data) {
    Map<String, String> entries = new TreeMap<>(data.texts());
    entries.keySet().removeIf(key -> key.startsWith(SIGNATURE));
    String content = data.text(CONTENT);
    for (BootstrapToken token : tokens.list()) {
      if (token.signsAt(clock.instant())) {
        entries.put(SIGNATURE + token.id(), signature(content, token.id(), token.secret()));
      }
    }
    return entries.equals(data.texts()) ? data : MapNode.ofTexts(entries);
  }

  /** The detached signature of a content: the parts before and behind it. */
  static String signature(String content, String id, String secret) {
    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    String header =
        encoder.encodeToString(
            "{\"alg\":\"HS256\",\"kid\":\"%s\"}".formatted(id).getBytes(StandardCharsets.UTF_8));
    String payload = encoder.encodeToString(content.getBytes(StandardCharsets.UTF_8));
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      byte[] signature = mac.doFinal((header + "." + payload).getBytes(StandardCharsets.US_ASCII));
      return header + ".." + encoder.encodeToString(signature);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  private final class Changes<T> implements ObjectListener<T> {

    @Override
    public void added(ObjectName name, T object) {
      queue.add(CLUSTER_INFO);
    }

    @Override
    public void updated(ObjectName name, T before, T after) {
      if (!before.equals(after)) {
        queue.add(CLUSTER_INFO);
      }
    }

    @Override
    public void deleted(ObjectName name, T last) {
      queue.add(CLUSTER_INFO);
    }
  }
}
