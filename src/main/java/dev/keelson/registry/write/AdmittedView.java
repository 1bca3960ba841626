package dev.keelson.registry.write;

import dev.keelson.object.ApiObject;

/** What admission sees of an object that is updated through a subresource. */
public interface AdmittedView {

  /** The object itself. */
  AdmittedView WHOLE =
      new AdmittedView() {
        @Override
        public ApiObject of(ApiObject object) {
          return object;
        }

        @Override
        public ApiObject applied(ApiObject object, ApiObject admitted) {
          return admitted;
        }
      };

  /** The view of an object in the stored version, for example the Scale of a workload. */
  ApiObject of(ApiObject object);

  /**
   * The object with what mutating admission has made of its view.
   *
   * @throws dev.keelson.api.ApiException if the view is invalid by now
   */
  ApiObject applied(ApiObject object, ApiObject admitted);
}
