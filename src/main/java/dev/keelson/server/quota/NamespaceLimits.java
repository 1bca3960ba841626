package dev.keelson.server.quota;

import dev.keelson.object.ApiObject;
import dev.keelson.quota.Quota;
import dev.keelson.server.cache.NamespaceIndex;

/**
 * The limits of namespaces as of the watch cache, for admission.
 *
 * @param quotas the quotas; admission adds what it charges
 * @param limitRanges the LimitRanges, with those that this server has stored
 */
public record NamespaceLimits(NamespaceIndex<Quota> quotas, NamespaceIndex<ApiObject> limitRanges)
    implements AutoCloseable {

  @Override
  public void close() {
    quotas.close();
    limitRanges.close();
  }
}
