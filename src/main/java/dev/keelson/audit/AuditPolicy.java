package dev.keelson.audit;

import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;
import org.jspecify.annotations.Nullable;

/** Decides how much of a request is recorded. Safe for use by any thread; never blocks. */
@FunctionalInterface
public interface AuditPolicy {

  /** The policy of a server that has none: every request at level Metadata, at every stage. */
  AuditPolicy METADATA = (user, info) -> AuditConfig.METADATA;

  /**
   * The configuration for a request.
   *
   * @param user who sent it, before impersonation; null if authentication failed
   */
  AuditConfig evaluate(@Nullable UserInfo user, RequestInfo info);
}
