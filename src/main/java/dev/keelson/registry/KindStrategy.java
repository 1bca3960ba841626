package dev.keelson.registry;

import dev.keelson.api.FieldCause;
import dev.keelson.object.ApiObject;
import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The code of one kind, beside the columns of its row (source: the strategies of kube-apiserver's
 * registry). Objects are in the stored version. Most kinds need none; every method has a default.
 */
public interface KindStrategy {

  /** Of a kind without code. */
  KindStrategy NONE = new KindStrategy() {};

  /** Completes a new object before validation. */
  default ApiObject prepareForCreate(ApiObject object) {
    return object;
  }

  /** Completes a new object of {@code user} before validation. */
  default ApiObject prepareForCreate(ApiObject object, UserInfo user) {
    return prepareForCreate(object);
  }

  /** Carries over what an update must not change, before validation. */
  default ApiObject prepareForUpdate(ApiObject object, ApiObject current) {
    return object;
  }

  /**
   * Completes an update of the status, of which everything outside the status is reset already.
   *
   * @param object the object that is about to be stored
   */
  default ApiObject prepareForStatusUpdate(ApiObject object, ApiObject current) {
    return object;
  }

  /**
   * Resets what an update through a subresource of the kind's own may not change.
   *
   * @param subresource the path segment, for example {@code resize}; never {@code status} or {@code
   *     scale}
   * @param object the object that was sent or that a patch made
   */
  default ApiObject prepareForSubresourceUpdate(
      String subresource, ApiObject object, ApiObject current) {
    throw new IllegalStateException("no update through " + subresource);
  }

  /**
   * Adds the rules that an update through a subresource breaks, after all other rules.
   *
   * @param subresource the path segment, or empty for the main resource
   * @param causes what other rules found; takes more
   */
  default void validateSubresourceUpdate(
      String subresource, ApiObject object, ApiObject current, List<FieldCause> causes) {}

  /**
   * The grace period of a delete in seconds, where a negative one means 1; empty if objects of the
   * kind are deleted without one (source: kube-apiserver's {@code RESTGracefulDeleteStrategy}).
   *
   * @param requested what the client asks for, or null
   */
  default OptionalLong gracePeriodSeconds(ApiObject object, @Nullable Long requested) {
    return OptionalLong.empty();
  }

  /** The violations of a new or updated object. */
  default List<FieldCause> validate(ApiObject object) {
    return List.of();
  }

  /** The form in which a valid object is stored (source: the strategies' Canonicalize). */
  default ApiObject canonical(ApiObject object) {
    return object;
  }

  /**
   * Whether the kind itself, beside finalizers in the metadata, keeps {@code object} from being
   * removed at once.
   */
  default boolean holdsDeletion(ApiObject object) {
    return false;
  }

  /** Marks the object as being deleted; called for every delete while the object is held. */
  default ApiObject onDeletionBegun(ApiObject object) {
    return object;
  }

  /** Rejects the deletion of {@code object} with an {@link dev.keelson.api.ApiException}. */
  default void checkDelete(ApiObject object) {}

  /**
   * Allocates to a new or updated object what is unique in a cluster; called before validation,
   * once for each attempt to store the object.
   *
   * @param current the object as it is stored, or null for a new one
   * @param dryRun whether nothing may be allocated
   * @throws dev.keelson.api.ApiException if it is not available; nothing is allocated then
   */
  default Reservation reserve(ApiObject object, @Nullable ApiObject current, boolean dryRun) {
    return Reservation.none(object);
  }

  /** Called after the object was removed from the store. */
  default void removed(ApiObject object) {}
}
