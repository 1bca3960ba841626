package dev.keelson.server.quota;

import dev.keelson.admission.quota.QuotaAccess;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.quota.Quota;
import dev.keelson.server.cache.NamespaceIndex;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** Reads quotas from the cache and the store, and charges them through the local registry. */
public final class LocalQuotaAccess implements QuotaAccess {

  private static final GroupVersionResource QUOTAS =
      GroupVersion.CORE_V1.resource("resourcequotas");

  private final NamespaceIndex<Quota> index;
  private final Supplier<ResourceClient> client;

  /** Creates the access; {@code client} is called on first use. */
  public LocalQuotaAccess(NamespaceIndex<Quota> index, Supplier<ResourceClient> client) {
    this.index = index;
    this.client = client;
  }

  @Override
  public List<Quota> cached(String namespace) {
    return index.in(namespace);
  }

  @Override
  public List<Quota> newest(String namespace) {
    return client.get().list(QUOTAS, namespace).stream().map(LocalQuotaAccess::parsed).toList();
  }

  private static Quota parsed(ApiObject object) {
    return Quota.of(object, Long.parseLong(object.meta().resourceVersion()));
  }

  @Override
  public Charge charge(Quota quota) {
    String version = Long.toString(quota.revision());
    AtomicBoolean stored = new AtomicBoolean();
    Optional<Quota> written =
        client
            .get()
            .changeStatus(
                QUOTAS,
                quota.namespace(),
                quota.name(),
                current -> {
                  boolean same =
                      current.meta().resourceVersion().equals(version)
                          && current.meta().uid().equals(quota.uid());
                  stored.set(same);
                  return same
                      ? current.with(
                          "status", current.root().map("status").with("used", quota.used().node()))
                      : current;
                })
            .map(LocalQuotaAccess::parsed);
    written.ifPresent(next -> index.learn(next.namespace(), next.name(), next, next.revision()));
    return written
        .<Charge>map(
            now -> stored.get() ? new Charge.Stored(now.revision()) : new Charge.Changed(now))
        .orElseGet(Charge.Gone::new);
  }
}
