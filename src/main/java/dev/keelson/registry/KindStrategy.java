package dev.keelson.registry;

import dev.keelson.api.FieldCause;
import dev.keelson.object.ApiObject;
import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The code that a kind needs beyond the columns of its row (source: the strategies of
 * kube-apiserver's registry). Objects are in the stored version. Most kinds have no strategy; every
 * method has a default.
 */
public interface KindStrategy {

  /** The strategy of kinds without code. */
  KindStrategy NONE = new KindStrategy() {};

  /** Completes a new object before validation. */
  default ApiObject prepareForCreate(ApiObject object) {
    return object;
  }

  /** Completes a new object of {@code user} before validation. */
  default ApiObject prepareForCreate(ApiObject object, UserInfo user) {
    return prepareForCreate(object);
  }

  /**
   * Completes a new object of {@code user} before validation.
   *
   * @param warnings for the client, of what validation does not see any more
   */
  default ApiObject prepareForCreate(ApiObject object, UserInfo user, Consumer<String> warnings) {
    return prepareForCreate(object, user);
  }

  /** Copies fields that an update must not change from the current object, before validation. */
  default ApiObject prepareForUpdate(ApiObject object, ApiObject current) {
    return object;
  }

  /**
   * Whether an update that changes the desired state raises the generation, if the kind has one at
   * all.
   */
  default boolean raisesGeneration() {
    return true;
  }

  /**
   * Completes an update of the status. All fields outside the status have been reset.
   *
   * @param object the object that is about to be stored
   */
  default ApiObject prepareForStatusUpdate(ApiObject object, ApiObject current) {
    return object;
  }

  /**
   * Resets the fields that an update through a subresource of the kind may not change.
   *
   * @param subresource the path segment, for example {@code resize}; never {@code status} or {@code
   *     scale}
   * @param object the object that was sent or patched
   */
  default ApiObject prepareForSubresourceUpdate(
      String subresource, ApiObject object, ApiObject current) {
    throw new IllegalStateException("no update through " + subresource);
  }

  /**
   * Validates an update through a subresource, after all other rules.
   *
   * @param subresource the path segment, or empty for the main resource
   * @param causes the causes found by other rules; this method adds to it
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
   * Whether the kind prevents the immediate removal of {@code object}, in addition to finalizers in
   * the metadata.
   */
  default boolean holdsDeletion(ApiObject object) {
    return false;
  }

  /**
   * Begins the deletion of {@code object} in place of the general rules, which apply to finalizers,
   * the generation and a grace period (source: kinds whose storage overrides Delete).
   *
   * @param now the deletionTimestamp
   * @return the object to store, or empty if the general rules apply
   */
  default Optional<ApiObject> beginDeletion(ApiObject object, String now) {
    return Optional.empty();
  }

  /** Marks the object as being deleted; called for every delete while the object is held. */
  default ApiObject onDeletionBegun(ApiObject object) {
    return object;
  }

  /**
   * Rejects the deletion of {@code object} by its name with an {@link
   * dev.keelson.api.ApiException}.
   */
  default void checkDelete(ApiObject object) {}

  /**
   * Allocates cluster-wide unique values to a new or updated object; called before validation, once
   * for each attempt to store the object.
   *
   * @param current the object as it is stored, or null for a new one
   * @param dryRun whether nothing may be allocated
   * @throws dev.keelson.api.ApiException if a value is not available; nothing is allocated then
   */
  default Reservation reserve(ApiObject object, @Nullable ApiObject current, boolean dryRun) {
    return Reservation.none(object);
  }

  /** Called after the object was removed from the store. */
  default void removed(ApiObject object) {}
}
