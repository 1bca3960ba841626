/**
 * Validates jobs and cron jobs, the transitions of job statuses, and cron schedules
 * (pkg/apis/batch/validation). Begin at {@link dev.keelson.schema.validation.batch.BatchKinds}.
 */
@NullMarked
package dev.keelson.schema.validation.batch;

import org.jspecify.annotations.NullMarked;
