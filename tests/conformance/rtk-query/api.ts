// What RTK Query's generator adds our operations to.

import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query';

export const api = createApi({ baseQuery: fetchBaseQuery({ baseUrl: '/' }), endpoints: () => ({}) });
